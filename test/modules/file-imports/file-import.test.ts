import type { Brand, TestService } from '../../support/service.js';
import { withWorker } from '../../support/shared-service.js';
import type { Topic } from './files.js';
import { exports } from './file-topics/exports.js';
import { germanCatalogue } from './file-topics/german-catalogue.js';
import { mappings } from './file-topics/mappings.js';
import { runs } from './file-topics/runs.js';
import { uploads } from './file-topics/uploads.js';
import { workbooks } from './file-topics/workbooks.js';

// One service for all of it: to start one takes longer than most of what is seen here.
let service: TestService;
let brand: Brand;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
}, 120_000);

const topic: Topic = { service: () => service, brand: () => brand };
germanCatalogue(topic);
mappings(topic);
uploads(topic);
runs(topic);
workbooks(topic);
exports(topic);
