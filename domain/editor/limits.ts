/** Limits on requests and documents; refusals and the documentation show them. */
export const limits = {
  /** Per batch. */
  operations: 500,
  /** JSON of a batch. */
  batchBytes: 524_288,
  /** Nodes that one operation creates, moves, sets or transforms. */
  targets: 2_000,
  /** Nodes that one operation deletes, with descendants: the event stays below a mebibyte. */
  deleted: 20_000,
  nodes: 2_000_000,
  /** Properties and texts of all nodes: the owner has them in memory. */
  documentBytes: 536_870_912,
  /** Operation ids chosen by clients, per document; all stay known. */
  chosenIds: 1_000_000,
  /** From the root. */
  depth: 256,
  propertiesOfNode: 512,
  propertyName: 128,
  /** JSON of one value. */
  propertyBytes: 65_536,
  /** Bytes that one operation writes to all its targets together: a shared value is stored for each target. */
  writtenBytes: 4_194_304,
  textLength: 100_000,
  /** Base64 of one text update. */
  textUpdate: 700_000,
  /** Base64 of a whole text with its history. */
  textState: 1_400_000,
  /** A longer key causes its siblings to be respaced. */
  orderKeyLength: 64,
  /**
   * Token buckets (burst and refill per second): per client (a paste of two megabytes fits the burst), per principal
   * over all clients and documents of a process, and per document.
   */
  rates: {
    client: { operations: { most: 5_000, perSecond: 50 }, bytes: { most: 4_194_304, perSecond: 262_144 } },
    principal: { operations: { most: 20_000, perSecond: 200 }, bytes: { most: 16_777_216, perSecond: 1_048_576 } },
    document: { operations: { most: 50_000, perSecond: 2_500 }, bytes: { most: 67_108_864, perSecond: 8_388_608 } },
    presence: { most: 30, perSecond: 30 },
    /** Operations that a restore counts as: it sends a snapshot to everyone in the document. */
    restoring: 100,
  },
  /** Selected nodes that presence contains: all members receive them many times a second. */
  selected: 1_000,
  /** Sessions per document, in all and per principal. */
  sessions: { inAll: 500, ofOnePrincipal: 250 },
  /** Sockets per principal and process. */
  sockets: 500,
} as const;

/** Limits of a document's own stream, which is read completely. */
export const documentLimits = {
  members: 1_000,
  /** Principals that came by the link. */
  visitors: 1_000,
  /** Open invitations. */
  invitations: 200,
  namedVersions: 1_000,
} as const;
