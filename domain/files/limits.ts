/** Bounds of files. */

export const fileLimits = {
  /** Of one file. */
  bytes: 500_000_000,
  /** Of a file that is text itself; readers take no more. */
  textBytes: 100_000_000,
  /** Up to here one request uploads a file; larger ones are uploaded in parts. */
  singleUploadBytes: 100_000_000,
  /** Of all files of a tenant together, unless it has a limit of its own: completed uploads, and what open ones reserve. */
  tenantBytes: 1_000_000_000_000,
  tenantFiles: 1_000_000,
  /** Of a tenant, at once. */
  openUploads: 2_000,
  uploadSeconds: 24 * 3_600,
  /** Signed addresses take bytes for three hours; then none of a session that has ended does. */
  uploadAddressSeconds: 3 * 3_600 + 300,
  /** In the trash; then it is deleted for ever. */
  trashDays: 30,
  /** Of a file of which no upload was ever completed, since the last one expired. */
  abandonedDays: 7,
  versions: 1_000,
  folders: 100_000,
  folderDepth: 32,
  grants: 100_000,
  grantsOfResource: 500,
  groups: 10_000,
  membersOfGroup: 5_000,
} as const;
