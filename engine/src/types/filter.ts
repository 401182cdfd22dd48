import { EMBEDDING_LENGTH, embeddingOf } from '../classify/embedding.ts';
import { DnaError } from '../errors.ts';
import { type TypeDefinition, usualTraits } from './type-definition.ts';

/** Pictures classified by profiles. There are no references: the embedding of a picture is used for one answer. */
export const filter: TypeDefinition = {
  traits: { ...usualTraits, title: 'Filter', references: false, profiles: true },
  workingSize: 512,
  describe: (picture) => embeddingOf(picture),
  checkDna(embedding) {
    if (embedding.length !== EMBEDDING_LENGTH)
      throw new DnaError(`embedding of ${embedding.length} bytes, expected ${EMBEDDING_LENGTH}`);
  },
  createPartition() {
    throw new Error('an application without references has no partition');
  },
};
