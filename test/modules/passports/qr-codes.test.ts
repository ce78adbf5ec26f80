import { expect, test } from 'vitest';
import { createQrCodes } from '../../../src/modules/passports/qr-codes.js';

const url = 'https://passport.example.com/p/04012345678901/23456789ABCD';
const qrCode = createQrCodes();
const sizes = Array.from({ length: 20 }, (_, n) => 1024 - n);

/** Processor time of the whole process and of the thread that answers calls, in microseconds. */
async function costOf(work: () => Promise<unknown>): Promise<{ readonly all: number; readonly here: number }> {
  const [all, here] = [process.cpuUsage(), process.threadCpuUsage()];
  await work();
  const [allAfter, hereAfter] = [process.cpuUsage(all), process.threadCpuUsage(here)];
  return { all: allAfter.user + allAfter.system, here: hereAfter.user + hereAfter.system };
}

test('codes are drawn beside the thread that answers calls, and drawn once', async () => {
  await qrCode({ format: 'svg', url, sizePx: null });
  const drawAll = () => Promise.all(sizes.map((sizePx) => qrCode({ format: 'png', url, sizePx })));
  const first = await costOf(drawAll);
  expect(first.here).toBeLessThan(first.all / 4);
  const again = await costOf(drawAll);
  expect(again.all).toBeLessThan(first.all / 10);
});

test('the same code asked for at the same time is the same image, and every form is one', async () => {
  const label = { url, productName: 'Tee', gtin: '04012345678901', serial: '23456789ABCD' };
  const [svg, again, png, pdf] = await Promise.all([
    qrCode({ format: 'svg', url, sizePx: 300 }),
    qrCode({ format: 'svg', url, sizePx: 300 }),
    qrCode({ format: 'png', url, sizePx: 300 }),
    qrCode({ format: 'pdf', ...label }),
  ]);
  expect(again).toBe(svg);
  expect(svg.toString()).toMatch(/^<svg .*width="300"/);
  expect(png.readUInt32BE(16)).toBe(300);
  expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-');
});

test('who asks while a hundred others wait is told to come back', async () => {
  const asked = Array.from({ length: 110 }, (_, n) => qrCode({ format: 'png', url, sizePx: 64 + n }));
  const settled = await Promise.allSettled(asked);
  const refused = settled.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(9);
  expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', extra: { retryAfterS: 1 } } });
});
