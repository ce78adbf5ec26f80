/**
 * Writes which arguments each text takes, from the English messages, so that the compiler knows them: TypeScript reads the
 * keys of a JSON file, not its words. With `--check` it only says whether the file is current.
 */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { argumentsOf } from './text-arguments.js';

const target = new URL('../src/pages/texts/arguments.ts', import.meta.url);

const areas: string[] = [];
for (const file of globSync('src/pages/texts/*/en.json').sort()) {
  const messages = Object.entries(JSON.parse(await readFile(file, 'utf8')) as Record<string, string>);
  const entries = messages.flatMap(([key, message]) => {
    const values = [...argumentsOf(message)].map(([name, type]) => `readonly ${name}: ${type};`);
    return values.length === 0 ? [] : [`readonly '${key}': { ${values.join(' ')} };`];
  });
  const body = entries.length === 0 ? 'Readonly<Record<never, never>>' : `{\n${entries.join('\n')}\n}`;
  areas.push(`readonly '${basename(dirname(file))}': ${body};`);
}

const source = `// Written by \`npm run texts\` from the English messages.

export type Value = string | number;

/** The arguments of each text that takes any, by area and key. */
export interface TextArguments {
${areas.join('\n')}
}
`;
const written = await format(source, { ...(await resolveConfig(target)), parser: 'typescript' });
if (!process.argv.includes('--check')) await writeFile(target, written);
else if ((await readFile(target, 'utf8')) !== written) {
  process.stderr.write('src/pages/texts/arguments.ts is not what the English texts say: run `npm run texts`.\n');
  process.exitCode = 1;
}
