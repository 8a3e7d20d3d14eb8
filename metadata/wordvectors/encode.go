package wordvectors

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// A Word is a word of a table.
type Word struct {
	Text   string    // folded
	Weight float64   // from 0 to 1
	Vector []float64 // of Dims numbers
}

// Encode returns the table of the words, as Lookup reads it. There must be a word, and a vector
// that is not zero. If two words have the same hash, Encode keeps the first.
func Encode(words []Word) []byte {
	centroids := make([][][]float64, parts)
	codes := make([][]byte, len(words))
	largest := 0.0
	for p := range parts {
		points := make([][]float64, len(words))
		for i, w := range words {
			points[i] = w.Vector[p*partDims:][:partDims]
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
		if h := hash(w.Text); rows[h] == nil {
			rows[h] = append([]byte{byte(h), byte(h >> 8), byte(h >> 16), byte(math.Round(255 * w.Weight))}, codes[i]...)
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

const rounds = 25 // of k-means

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
			for i, x := range point {
				sums[c][i] += x
			}
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
