import type { NetworkIdentity } from '../dna/network-similarity.ts';
import { brandMonitoring } from './brand-monitoring.ts';
import { colorSimilarity } from './color-similarity.ts';
import { filter } from './filter.ts';
import { imageSimilarity, similarityByNetwork } from './image-similarity.ts';
import { mediaMatching } from './media-matching.ts';
import { mobileMatching } from './mobile-matching.ts';
import type { TypeDefinition } from './type-definition.ts';

/**
 * A new application type is a file beside this one and a row here. A type with DNA of its own also adds its kinds in `dna/`.
 * The order is that of the documentation.
 */
const table = {
  'image-similarity': imageSimilarity,
  'color-similarity': colorSimilarity,
  'mobile-matching': mobileMatching,
  'media-matching': mediaMatching,
  'brand-monitoring': brandMonitoring,
  filter,
};

export type ApplicationType = keyof typeof table;

export const typeDefinitions: Readonly<Record<ApplicationType, TypeDefinition>> = table;

export const applicationTypes = Object.keys(table) as ApplicationType[];

/** The definition for one application. @param network  of an image-similarity application that describes by one */
export function definitionOf(type: ApplicationType, network?: NetworkIdentity): TypeDefinition {
  return network ? similarityByNetwork(network) : typeDefinitions[type];
}
