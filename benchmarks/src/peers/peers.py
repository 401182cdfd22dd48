"""Searches pictures as users of imagehash, pdqhash and OpenCV's SIFT would, on one core.

Reads {"references": [paths], "queries": [paths]} from standard input. Writes one JSON object a line and peer:
name, bytes a picture, milliseconds of processor time to add and to search, and [reference, score] of the best match
of each query, the higher the surer.
"""

import json
import sys
import time

import cv2
import imagehash
import numpy
import pdqhash
from PIL import Image

LONGER_SIDE = 512
FEATURES = 500
SHORTLIST = 10
LOWE_RATIO = 0.75
RANSAC_PIXELS = 5.0

cv2.setNumThreads(1)
cv2.setRNGSeed(1)


class Hashes:
    """One hash a picture; the nearest by Hamming distance."""

    def __init__(self, name, bits, hash_of):
        self.name, self.bits, self.hash_of = name, bits, hash_of

    def add(self, paths):
        self.hashes = numpy.array([self.hash_of(path) for path in paths])
        self.bytes = self.bits / 8

    def best(self, path):
        distances = (self.hashes != self.hash_of(path)).sum(axis=1)
        nearest = int(distances.argmin())
        return nearest, int(self.bits - distances[nearest])


class Sift:
    """Votes of the nearest features, then RANSAC with the pictures that have most votes: the number of inliers."""

    name = "OpenCV SIFT, RANSAC"

    def __init__(self):
        self.sift = cv2.SIFT_create(nfeatures=FEATURES)

    def features(self, path):
        picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        factor = LONGER_SIDE / max(picture.shape)
        if factor < 1:
            picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        points, descriptors = self.sift.detectAndCompute(picture, None)
        if descriptors is None:
            return numpy.zeros((0, 2), numpy.float32), numpy.zeros((0, 128), numpy.float32)
        return numpy.array([point.pt for point in points], numpy.float32), descriptors

    def add(self, paths):
        self.references = [self.features(path) for path in paths]
        self.owners = numpy.concatenate([[i] * len(each) for i, (_, each) in enumerate(self.references)]).astype(int)
        self.index = cv2.flann.Index(numpy.concatenate([each for _, each in self.references]), dict(algorithm=1, trees=4))
        self.bytes = 136 * len(self.owners) / len(paths)  # 128 of a descriptor, 8 of its place

    def best(self, path):
        points, descriptors = self.features(path)
        if len(points) < 4:
            return 0, 0
        nearest, _ = self.index.knnSearch(descriptors, 1, params=dict(checks=64))
        votes = numpy.bincount(self.owners[nearest[:, 0]], minlength=len(self.references))
        shortlist = numpy.argsort(-votes, kind="stable")[:SHORTLIST]
        return max(((int(i), self.inliers(points, descriptors, *self.references[i])) for i in shortlist), key=lambda it: it[1])

    def inliers(self, points, descriptors, reference_points, reference_descriptors):
        if len(reference_points) < 4:
            return 0
        pairs = cv2.BFMatcher().knnMatch(descriptors, reference_descriptors, k=2)
        close = [a for a, b in pairs if a.distance < LOWE_RATIO * b.distance]
        if len(close) < 4:
            return 0
        source = reference_points[[each.trainIdx for each in close]]
        target = points[[each.queryIdx for each in close]]
        _, mask = cv2.findHomography(source, target, cv2.RANSAC, RANSAC_PIXELS)
        return 0 if mask is None else int(mask.sum())


def phash(path):
    return imagehash.phash(Image.open(path)).hash.flatten()


def pdq(path):
    return pdqhash.compute(numpy.asarray(Image.open(path).convert("RGB")))[0].astype(bool)


sets = json.load(sys.stdin)
for peer in [Hashes("imagehash (pHash)", 64, phash), Hashes("pdqhash", 256, pdq), Sift()]:
    started = time.process_time()
    peer.add(sets["references"])
    added = time.process_time()
    best = [peer.best(path) for path in sets["queries"]]
    ended = time.process_time()
    figures = {
        "name": peer.name,
        "bytes": peer.bytes,
        "addMs": 1000 * (added - started) / len(sets["references"]),
        "searchMs": 1000 * (ended - added) / len(sets["queries"]),
        "best": best,
    }
    print(json.dumps(figures), flush=True)
