/** Where the worker listens. One queue serves all processes: each of them is short of work, none of them of time. */
export const TASK_QUEUE = 'passports';
