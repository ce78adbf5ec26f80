import { afterAll, beforeAll } from 'vitest';
import { startServiceWithWorker, type ServiceWithWorker } from '../../support/brand-story.js';
import type { Brand } from '../../support/service.js';
import type { Topic } from './files.js';
import { germanCatalogue } from './file-topics/german-catalogue.js';
import { mappings } from './file-topics/mappings.js';
import { runs } from './file-topics/runs.js';
import { uploads } from './file-topics/uploads.js';
import { workbooks } from './file-topics/workbooks.js';

// One service for all of it: to start one takes longer than most of what is seen here.
let service: ServiceWithWorker;
let brand: Brand;

beforeAll(async () => {
  service = await startServiceWithWorker();
  brand = await service.asBrand();
}, 120_000);
afterAll(() => service.close());

const topic: Topic = { service: () => service, brand: () => brand };
germanCatalogue(topic);
mappings(topic);
uploads(topic);
runs(topic);
workbooks(topic);
