/// A file that cannot be read, with a reason for the person who chose it.
export class HistoryFileError extends Error {}
