/** What `eventstore-node` takes, in this project `npm run eventstore`. */
import { commandSet, type ParsedCommand } from '../../../command-line/src/index';

const data = { type: 'string', value: 'DIR', about: 'the directory of the log' } as const;
const requiredData = { ...data, required: true } as const;
const url = { type: 'string', value: 'URL', about: 'a running server: esdb://… or kurrentdb://…' } as const;
const system = { type: 'boolean', about: 'also system events ($…)' } as const;

export const program = commandSet({
  name: process.env.npm_lifecycle_event === 'eventstore' ? 'npm run eventstore --' : 'eventstore-node',
  about: "A single event store node that speaks EventStoreDB's protocol, and the tools for its log.",
  commands: {
    serve: {
      about: "Serves EventStoreDB's gRPC protocol until it is stopped.",
      options: {
        data: requiredData,
        certs: {
          type: 'string',
          value: 'DIR',
          about: 'certificates, as certs makes them; without them it is insecure',
        },
        host: { type: 'string', value: 'HOST', default: '127.0.0.1', about: 'the address to listen on' },
        port: { type: 'string', value: 'N', default: '2113', about: 'the port; 0 takes a free one' },
        'insecure-anywhere': { type: 'boolean', about: 'without certificates, listens beyond loopback too' },
      },
    },
    backup: {
      about: 'Makes a consistent copy of a log, also while it is served.',
      options: {
        data: requiredData,
        out: { type: 'string', value: 'DIR', required: true, about: 'where the copy goes; it must not exist yet' },
      },
    },
    restore: {
      about: 'Restores a backup into a directory that holds no log.',
      options: {
        from: { type: 'string', value: 'BACKUP', required: true, about: 'the backup' },
        data: requiredData,
        verify: { type: 'boolean', about: 'reads everything afterwards, as verify does' },
      },
    },
    stats: {
      about: 'Prints what a log holds and takes: of a directory or of a running server.',
      options: { data, url },
    },
    export: {
      about: 'Writes the log of any EventStoreDB as lines of JSON.',
      options: {
        url: { ...url, required: true },
        out: { type: 'string', value: 'FILE', default: '-', about: 'the file; - is standard output' },
        from: { type: 'string', value: 'POSITION', about: 'only events after this position' },
        system,
      },
    },
    import: {
      about: 'Imports such lines into any EventStoreDB, or into a directory that holds no log.',
      options: {
        url,
        data,
        in: { type: 'string', value: 'FILE', default: '-', about: 'the file; - is standard input' },
        system,
      },
    },
    scavenge: {
      about:
        'Removes what metadata, deletes and tombstones allow: on a running node, or in a directory that none serves.',
      options: { url, data },
    },
    certs: {
      about: 'Makes a certificate authority, once, and a certificate for a node.',
      options: {
        out: { type: 'string', value: 'DIR', required: true, about: 'where the files go' },
        host: {
          type: 'string',
          value: 'NAME',
          multiple: true,
          about: 'a host name of the node (default, with --ip: localhost, 127.0.0.1 and ::1)',
        },
        ip: { type: 'string', value: 'ADDRESS', multiple: true, about: 'an address of the node' },
        days: { type: 'string', value: 'N', about: 'how long the certificate is valid (default: two years)' },
        renew: { type: 'boolean', about: 'replaces the certificate that is there' },
      },
    },
    verify: {
      about: 'Reads everything, also while it is served. Names the first damage and exits with 1.',
      options: { data: requiredData },
    },
  },
});

type CommandName = keyof typeof program.commands;

export type OptionsOf<Name extends CommandName> = Extract<
  ParsedCommand<typeof program>,
  { readonly command: Name }
>['options'];
