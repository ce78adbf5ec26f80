import { eraseTextKeys } from '../infrastructure/private-texts/private-texts.js';
import { command, print } from './command.js';

export const eraseTexts = command({
  name: 'erase-texts',
  usage: [['<id>', "erase for good the private texts of an organization, a supplier's record or a factory"]],
  settings: ['DATABASE_URL'],
  read: ([holder = '', ...more]) => (/^(org|sup|fac)_/.test(holder) && more.length === 0 ? { holder } : null),
  run: async ({ holder }, settings, open) => {
    const erased = await eraseTextKeys(open.database(settings), [holder]);
    print(erased === 0 ? `No private text hangs on "${holder}".` : `The private texts of "${holder}" are erased.`);
    return erased === 0 ? 1 : 0;
  },
});
