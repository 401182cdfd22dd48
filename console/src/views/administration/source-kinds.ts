import type { SourceKindName } from '@sosia/contract';

interface SourceField {
  /** Its name in CreateSource. */
  readonly parameter: string;
  readonly label: string;
  readonly optional?: true;
  /** Whether each line is a value. */
  readonly lines?: true;
  readonly type?: 'password';
  readonly maxLength?: number;
}

interface SourceForm {
  /** What the service does. */
  readonly about: string;
  /** The setting of the service that allows it. */
  readonly setting: string;
  readonly fields: readonly SourceField[];
  /** Whether its files can be moved and deleted. */
  readonly writable?: true;
}

export const WRITABLE = 'Removing pictures may also move or delete their files';

export const sourceTitles: readonly (readonly [kind: SourceKindName, title: string])[] = [
  ['folder', 'Folder'],
  ['bucket', 'Bucket (S3)'],
  ['web', 'Web'],
  ['archive', 'Web archive (WARC)'],
  ['films', 'Films'],
];

/** What a new source of each kind needs. */
export const sourceForms: Readonly<Record<SourceKindName, SourceForm>> = {
  folder: {
    about: 'The pictures of a folder of the service come to the application, change and leave it.',
    setting: 'source_folders',
    writable: true,
    fields: [{ parameter: 'path', label: 'Folder', maxLength: 4096 }],
  },
  bucket: {
    about: 'The pictures of a bucket come to the application, change and leave it.',
    setting: 'source_buckets',
    writable: true,
    fields: [
      { parameter: 'endpoint', label: 'Address of the storage service', maxLength: 300 },
      { parameter: 'bucket', label: 'Bucket', maxLength: 63 },
      { parameter: 'key_prefix', label: 'Only keys that begin with', optional: true, maxLength: 1024 },
      { parameter: 'region', label: 'Region', optional: true, maxLength: 100 },
      { parameter: 'access_key', label: 'Access key' },
      { parameter: 'secret_key', label: 'Secret key', type: 'password' },
    ],
  },
  web: {
    about: 'Pictures by their addresses, and by sitemaps, feeds and lists of addresses, one address in a line.',
    setting: 'fetch_hosts',
    fields: [{ parameter: 'urls', label: 'Addresses', lines: true }],
  },
  archive: {
    about: 'The pictures of an archive of web pages, or of all archives of a folder, come to the application.',
    setting: 'source_folders',
    fields: [{ parameter: 'path', label: 'Archive or folder', maxLength: 4096 }],
  },
  films: {
    about: 'Stills of the films of a folder come to the application: where the picture changes. Needs ffmpeg.',
    setting: 'source_folders',
    fields: [{ parameter: 'path', label: 'Folder of films', maxLength: 4096 }],
  },
};
