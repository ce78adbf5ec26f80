import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { notFound } from '../../core/errors.js';
import type { ImportEvent } from './events.js';

type Started = Extract<ImportEvent, { type: 'ImportStarted' }>['data'];
type Ended = Extract<ImportEvent, { type: 'ImportEnded' }>['data'];

export type ImportCommand = ({ readonly type: 'StartImport' } & Started) | ({ readonly type: 'EndImport' } & Ended);

export type ImportStreamState = { readonly status: 'none' | 'started' | 'ended' };

/** One uploaded file is imported once: starting and ending again change nothing. */
export const importDecider: Decider<ImportStreamState, ImportCommand, ImportEvent> = {
  initialState: { status: 'none' },

  decide: (command, state) => {
    switch (command.type) {
      case 'StartImport': {
        const { type: _type, ...data } = command;
        return state.status === 'none' ? [{ type: 'ImportStarted', data }] : [];
      }
      case 'EndImport': {
        const { type: _type, ...data } = command;
        if (state.status === 'none') throw notFound('import', command.importId);
        return state.status === 'started' ? [{ type: 'ImportEnded', data }] : [];
      }
      default:
        return assertNever(command);
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'ImportStarted':
        return { status: 'started' };
      case 'ImportEnded':
        return { status: 'ended' };
      default:
        return state;
    }
  },
};
