import { definitionOf } from '@sosia/engine';
import { restorable } from './restorable.test.kit.ts';
import { serveShard } from './serve-shard.ts';

serveShard((type, network) => restorable(definitionOf(type, network).createPartition()));
