/** Bounds of what one caller may ask of a document. They are shown in refusals and in the documentation. */
export const limits = {
  /** In one batch. */
  operations: 500,
  /** Of a batch's JSON. */
  batchBytes: 524_288,
  /** Created, moved, set or transformed by one operation. */
  targets: 2_000,
  /** That go with what one operation deletes: with their ids the event stays below a mebibyte. */
  deleted: 20_000,
  nodes: 2_000_000,
  /** Of what all nodes of a document hold, properties and texts: its owner has it in memory. */
  documentBytes: 536_870_912,
  /** Ids of operations that clients chose themselves, of one document: all of them stay known. */
  chosenIds: 1_000_000,
  /** From the root down. */
  depth: 256,
  propertiesOfNode: 512,
  propertyName: 128,
  /** Of one value's JSON. */
  propertyBytes: 65_536,
  /** That one operation writes, in all its targets together: what is said once for thousands is kept for each of them. */
  writtenBytes: 4_194_304,
  textLength: 100_000,
  /** Base64 of what one operation merges into a text. */
  textUpdate: 700_000,
  /** Base64 of a whole text, with what its history needs. */
  textState: 1_400_000,
  /** A longer one is spread out again with its siblings. */
  orderKeyLength: 64,
  /**
   * So much at once, so much a second after that: what one client may send (a paste of two megabytes goes at once), what one principal by
   * all its clients in all documents of a process, and what all together into one document.
   */
  rates: {
    client: { operations: { most: 5_000, perSecond: 50 }, bytes: { most: 4_194_304, perSecond: 262_144 } },
    principal: { operations: { most: 20_000, perSecond: 200 }, bytes: { most: 16_777_216, perSecond: 1_048_576 } },
    document: { operations: { most: 50_000, perSecond: 2_500 }, bytes: { most: 67_108_864, perSecond: 8_388_608 } },
    presence: { most: 30, perSecond: 30 },
    /** As many operations as putting back a version counts for: it is a snapshot for everybody who is there. */
    restoring: 100,
  },
  /** Told of what one member has selected: all who are there hear of it, many times a second. */
  selected: 1_000,
  /** That have one document open at once, in all and of one principal. */
  sessions: { inAll: 500, ofOnePrincipal: 250 },
  /** Of one principal with one process, whichever documents they are for. */
  sockets: 500,
} as const;

/** Bounds of what is said of one document: its stream is read whole. */
export const documentLimits = {
  members: 1_000,
  /** Who came by the link. */
  visitors: 1_000,
  /** Neither answered nor over. */
  invitations: 200,
  namedVersions: 1_000,
} as const;
