import { definitionOf } from '@sosia/engine';
import { serveShard } from './serve-shard.ts';

serveShard((type, network) => definitionOf(type, network).createPartition());
