/** Bounds of files. */

export const fileLimits = {
  /** Of one file, unless its tenant has another. */
  bytes: 500_000_000,
  /** Up to here one request uploads a file; larger ones are uploaded in parts. */
  singleUploadBytes: 100_000_000,
  uploadSeconds: 24 * 3_600,
  versions: 1_000,
  folders: 100_000,
  folderDepth: 32,
  grants: 100_000,
  grantsOfResource: 500,
  groups: 10_000,
  membersOfGroup: 5_000,
} as const;
