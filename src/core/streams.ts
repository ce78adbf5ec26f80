/**
 * The name of the stream of one thing. It is ASCII whatever somebody calls an id: EventStoreDB tells of a stream that is deleted or
 * stands elsewhere in a gRPC trailer, which holds nothing else, and without it the call ends as an error of no kind.
 */
export const streamName = (kind: string, id: string): string => `${kind}-${encodeURIComponent(id.toWellFormed())}`;
