import { test } from 'vitest';
import { startServiceWithWorker } from './brand-story.js';
import { startService } from './service.js';

/**
 * `withService.beforeAll(({ service }) => ...)`: a service that all files of a test process share. For those that stop no part
 * of it, need no settings of their own and look at nothing but what their own people and organizations have. It ends with the
 * process.
 */
export const withService = test.extend('service', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const service = await startService();
  onCleanup(() => service.close());
  return service;
});

/** The same with a worker, which must not be killed either. */
export const withWorker = test.extend('service', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const service = await startServiceWithWorker();
  onCleanup(() => service.close());
  return service;
});
