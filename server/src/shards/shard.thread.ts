import { definitionOf } from '@sosia/engine';
import { serveShard } from './serve-shard.ts';

serveShard((type, network, records) => definitionOf(type, network).createPartition(records));
