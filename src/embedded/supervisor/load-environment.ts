/**
 * Loaded with `--import` into commands that run beside the service of `npm start`: what its programs read from their
 * environment, this command reads too, unless it brings its own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../start-error.js';

const file = join(process.env.DATA_DIR || '.data', 'environment.json');
try {
  const environment = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  for (const [name, value] of Object.entries(environment)) process.env[name] ||= value;
} catch (error) {
  // In production there is none, and nothing of it is wanted.
  if (!hasCode(error, 'ENOENT')) throw error;
}
