export type { StoreArchive, StoreRecord } from 'dealwright/ports';
