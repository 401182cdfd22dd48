import { brandMonitoring } from '@sosia/engine/types/brand-monitoring';
import { colorSimilarity } from '@sosia/engine/types/color-similarity';
import { imageSimilarity } from '@sosia/engine/types/image-similarity';
import { mediaMatching } from '@sosia/engine/types/media-matching';
import { mobileMatching } from '@sosia/engine/types/mobile-matching';
import type { MatchingType } from './protocol.ts';
import { serve } from './serve.ts';

// Filter has no references, and its profiles are a quarter of the engine's data.
serve<MatchingType>({
  'image-similarity': imageSimilarity,
  'color-similarity': colorSimilarity,
  'mobile-matching': mobileMatching,
  'media-matching': mediaMatching,
  'brand-monitoring': brandMonitoring,
});
