import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface InboxMessage {
  readonly id: string;
  readonly receivedAt: number;
  readonly messageId: string | null;
  readonly from: string;
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly links: string[];
}

export interface MessageStore {
  add(message: Omit<InboxMessage, 'id' | 'receivedAt'>): Promise<InboxMessage>;
  /** Newest first. */
  list(to?: string): readonly InboxMessage[];
  find(id: string): InboxMessage | undefined;
  clear(): Promise<void>;
}

/** Messages in memory and, one file each, on disk; beyond the bound the oldest go. */
export const openMessageStore = async (options: {
  readonly folder: string;
  readonly maxMessages: number;
}): Promise<MessageStore> => {
  const { folder, maxMessages } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  let messages: { readonly file: string; readonly message: InboxMessage }[] = [];
  for (const name of names) {
    const file = join(folder, name);
    messages.push({ file, message: JSON.parse(await readFile(file, 'utf8')) as InboxMessage });
  }
  let count = Number(names.at(-1)?.slice(0, 12) ?? 0);

  const trim = async (): Promise<void> => {
    const surplus = messages.slice(0, Math.max(0, messages.length - maxMessages));
    messages = messages.slice(surplus.length);
    for (const { file } of surplus) await rm(file, { force: true });
  };
  await trim();

  return {
    add: async (received) => {
      const message: InboxMessage = { id: randomUUID(), receivedAt: Date.now(), ...received };
      count += 1;
      // The number keeps the order of arrival over a restart.
      const file = join(folder, `${String(count).padStart(12, '0')}.json`);
      await writeFile(`${file}.new`, JSON.stringify(message), { mode: 0o600 });
      await rename(`${file}.new`, file);
      messages.push({ file, message });
      await trim();
      return message;
    },
    list: (to) => {
      const wanted = to?.trim().toLowerCase();
      return messages
        .map(({ message }) => message)
        .filter((message) => wanted === undefined || message.to.some((address) => address.toLowerCase() === wanted))
        .reverse();
    },
    find: (id) => messages.find(({ message }) => message.id === id)?.message,
    clear: async () => {
      const gone = messages;
      messages = [];
      for (const { file } of gone) await rm(file, { force: true });
    },
  };
};
