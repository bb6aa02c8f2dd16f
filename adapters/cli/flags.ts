import type { Language } from 'dealwright';

type Texts<Name extends string> = { readonly [Each in Name]?: string };
type Switches<Name extends string> = { readonly [Each in Name]?: true };

/** What flags give other than fields, by the names that commander makes of them. */
export type Flags = Texts<'url' | 'tokenFile' | 'timeout' | 'attempts'> &
  Texts<
    'file' | 'idempotencyKey' | 'id' | 'pageSize' | 'cursor' | 'stageId' | 'name' | 'contentType'
  > &
  Texts<'concurrency' | 'report' | 'host' | 'port' | 'out' | 'minAge'> &
  Switches<'json' | 'quiet' | 'all' | 'skipExisting' | 'memory'> &
  Switches<'print' | 'distribute' | 'withoutFiles'> & {
    readonly lang?: Language;
    readonly apiVersion?: '1.0' | '2.0';
    readonly migrate?: boolean;
  };
