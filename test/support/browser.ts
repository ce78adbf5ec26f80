import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const findOnPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** Made for a function that opens one page: in one process, closing a context ends the browser; and no web security is no test. */
const UNWANTED: readonly string[] = ['--single-process', '--no-zygote', '--disable-web-security'];

type Candidate = {
  readonly source: string;
  readonly find: () => Promise<{ path: string; args: string[] } | undefined>;
};

const at = (path: string | undefined) =>
  path !== undefined && existsSync(path) ? { path, args: ARGUMENTS } : undefined;

const CANDIDATES: readonly Candidate[] = [
  { source: 'CHROMIUM_PATH', find: async () => at(process.env.CHROMIUM_PATH) },
  { source: 'PATH', find: async () => at(findOnPath()) },
  { source: "playwright's cache", find: async () => at(chromium.executablePath()) },
  {
    source: '@sparticuz/chromium',
    find: async () => {
      const { default: packaged } = await import('@sparticuz/chromium');
      // Its graphics are computed by a graphics card that is computed: several times the work of painting without one.
      packaged.setGraphicsMode = false;
      const args = packaged.args.filter((flag) => !UNWANTED.includes(flag));
      return { path: await packaged.executablePath(), args: [...args, '--disable-gpu'] };
    },
  },
];

/** A headless Chromium from the first place that has one that starts; fails, and says how to get one, when none does. */
export const launchBrowser = async (): Promise<Browser> => {
  const tried: string[] = [];
  for (const { source, find } of CANDIDATES) {
    try {
      const found = await find();
      if (found === undefined) {
        tried.push(`${source}: none`);
        continue;
      }
      return await chromium.launch({ executablePath: found.path, args: found.args, headless: true, timeout: 30_000 });
    } catch (error) {
      tried.push(`${source}: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    }
  }
  throw new Error(
    `No Chromium could be started (${tried.join('; ')}). Install one (apt-get install chromium, or npx playwright install chromium), or set CHROMIUM_PATH.`,
  );
};
