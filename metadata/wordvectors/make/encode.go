package main

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// The layout of the file is described in package wordvectors.
const (
	parts         = 20
	partDims      = dims / parts
	centroidCount = 256
	rounds        = 25 // of k-means
)

// encode returns the file. Of two words with the same hash, it keeps the more frequent.
func encode(words []word) []byte {
	centroids := make([][][]float64, parts)
	codes := make([][]byte, len(words))
	largest := 0.0
	for p := range parts {
		points := make([][]float64, len(words))
		for i, w := range words {
			points[i] = w.vector[p*partDims:][:partDims]
		}
		centroids[p] = cluster(points)
		for i, point := range points {
			codes[i] = append(codes[i], byte(nearest(centroids[p], point)))
		}
		for _, c := range centroids[p] {
			for _, x := range c {
				largest = max(largest, math.Abs(x))
			}
		}
	}
	rows := map[uint32][]byte{}
	for i, w := range words {
		if h := hash(w.text); rows[h] == nil {
			rows[h] = append([]byte{byte(h), byte(h >> 8), byte(h >> 16), byte(math.Round(255 * weight(w.rank)))}, codes[i]...)
		}
	}
	file := binary.LittleEndian.AppendUint32(nil, uint32(len(rows)))
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(float32(largest)))
	for _, part := range centroids {
		for _, c := range part {
			for _, x := range c {
				file = append(file, byte(int8(math.Round(127*x/largest))))
			}
		}
	}
	hashes := make([]uint32, 0, len(rows))
	for h := range rows {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	for _, h := range hashes {
		file = append(file, rows[h]...)
	}
	return file
}

// weight returns how much a word of a rank says, from 0 to 1: a/(a+p) of Arora, Liang and Ma, "A
// Simple but Tough-to-Beat Baseline for Sentence Embeddings", 2017. Its frequency p is from
// Zipf's law.
func weight(rank int) float64 {
	const a = 1e-3
	p := 1 / (12 * float64(rank))
	return a / (a + p)
}

// cluster returns centroidCount centroids of the points, by k-means.
func cluster(points [][]float64) [][]float64 {
	random := rand.New(rand.NewPCG(1, 2))
	centroids := make([][]float64, centroidCount)
	for i := range centroids {
		centroids[i] = slices.Clone(points[random.IntN(len(points))])
	}
	for range rounds {
		sums, counts := make([][]float64, centroidCount), make([]float64, centroidCount)
		for _, point := range points {
			c := nearest(centroids, point)
			if sums[c] == nil {
				sums[c] = make([]float64, partDims)
			}
			add(sums[c], point, 1)
			counts[c]++
		}
		for c, sum := range sums {
			if sum == nil { // no point is nearest to it
				centroids[c] = slices.Clone(points[random.IntN(len(points))])
				continue
			}
			for i := range sum {
				centroids[c][i] = sum[i] / counts[c]
			}
		}
	}
	return centroids
}

func nearest(centroids [][]float64, point []float64) int {
	best, at := math.Inf(1), 0
	for c, centroid := range centroids {
		distance := 0.0
		for i, x := range point {
			d := x - centroid[i]
			distance += d * d
		}
		if distance < best {
			best, at = distance, c
		}
	}
	return at
}

// hash is the hash of package wordvectors.
func hash(word string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(word))
	sum := h.Sum32()
	return (sum ^ sum>>24) & (1<<24 - 1)
}
