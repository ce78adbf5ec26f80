import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import QRCode from 'qrcode';
import { tellStory, type RunningService } from './story.js';

/** `npm run demo`: the whole story against the service that `npm start` runs, told step by step. */
async function demo(): Promise<void> {
  const file = join(process.env['DATA_DIR'] ?? '.data', 'dev.json');
  const service = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as RunningService,
    () => {
      throw new Error(`no running service: "${file}" cannot be read. Start one with \`npm start\`, or set DATA_DIR.`);
    },
  );
  let step = 0;
  const end = await tellStory(service, (sentence) => print(`${String(++step).padStart(2)}. ${sentence}`));
  print('');
  print(await QRCode.toString(end.qrUrl, { type: 'utf8', errorCorrectionLevel: 'M' }));
  print(`Passport  ${end.qrUrl}`);
  print(`History   npm run cli -- verify batch-${end.batchId}`);
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  await demo();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
