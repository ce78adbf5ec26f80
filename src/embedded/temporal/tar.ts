const BLOCK_BYTES = 512;

/** The body of one file in a tar archive; undefined when it is not in there. */
export const readTarEntry = (archive: Buffer, name: string): Buffer | undefined => {
  for (let at = 0; at + BLOCK_BYTES <= archive.length;) {
    const end = archive.indexOf(0, at);
    const entry = archive.toString('utf8', at, Math.min(end < 0 ? at + 100 : end, at + 100));
    const size = Number.parseInt(archive.toString('ascii', at + 124, at + 136), 8);
    if (entry === '' || Number.isNaN(size)) return undefined;
    const body = at + BLOCK_BYTES;
    if (entry === name || entry === `./${name}`) return archive.subarray(body, body + size);
    at = body + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return undefined;
};
