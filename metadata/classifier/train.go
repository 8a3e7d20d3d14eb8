package classifier

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// An Example is a request and its label.
type Example struct {
	Text  string
	Label string
}

// Options are the settings of Train. The zero value of a field means its default.
type Options struct {
	LogSize int // the hash table has 1<<LogSize buckets; default 14
	Passes  int // how often Train reads all examples; default 14
}

const (
	learningRate = 0.2
	smoothing    = 0.04 // share of the probability that is spread over all labels
)

// Train returns a model of the examples. It fits a multinomial logistic regression with
// Adagrad (Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011) and label
// smoothing. On one processor architecture, the same examples and options always give the
// same model.
func Train(examples []Example, o Options) *Model {
	if o.LogSize == 0 {
		o.LogSize = 14
	}
	if o.Passes == 0 {
		o.Passes = 14
	}
	m := &Model{logSize: o.LogSize}
	for _, e := range examples {
		m.Labels = append(m.Labels, e.Label)
	}
	slices.Sort(m.Labels)
	m.Labels = slices.Compact(m.Labels)
	m.rowSize = rowSize(len(m.Labels))
	m.setIDF(examples)

	vectors, labels := make([][]feature, len(examples)), make([]int, len(examples))
	for i, e := range examples {
		vectors[i] = m.features(e.Text)
		labels[i], _ = slices.BinarySearch(m.Labels, e.Label)
	}
	m.quantize(trainAll(o, len(m.Labels), vectors, labels))
	return m
}

// rounds is how often Train trains, each time with the examples in another order. The mean of the
// weights depends less on the order, and on a few examples more or less.
const rounds = 4

// trainAll returns a trainer with the mean weights of all rounds. The rounds run at the same time.
func trainAll(o Options, count int, vectors [][]feature, labels []int) *trainer {
	trainers := make([]*trainer, rounds)
	var wait sync.WaitGroup
	for round := range trainers {
		wait.Go(func() {
			t := newTrainer(1<<o.LogSize, count)
			rng := rand.New(rand.NewPCG(0, uint64(round)))
			for range o.Passes {
				for _, i := range rng.Perm(len(vectors)) {
					t.learn(vectors[i], labels[i])
				}
			}
			trainers[round] = t
		})
	}
	wait.Wait()
	mean := trainers[0]
	for _, t := range trainers[1:] {
		for i, w := range t.weights {
			mean.weights[i] += w
		}
	}
	for i := range mean.weights {
		mean.weights[i] /= rounds
	}
	return mean
}

// setIDF sets the idf of each bucket. A bucket that few examples contain has a high idf.
func (m *Model) setIDF(examples []Example) {
	counts := make([]int, 1<<m.logSize)
	for _, e := range examples {
		wordBuckets, gramBuckets := buckets(e.Text, m.logSize)
		list := append(wordBuckets, gramBuckets...)
		slices.Sort(list)
		for _, b := range slices.Compact(list) {
			counts[b]++
		}
	}
	maxIDF := math.Log(1+float64(len(examples))) + 1
	m.idfUnit = float32(maxIDF / math.MaxUint8)
	m.idf = make([]uint8, len(counts))
	for b, n := range counts {
		idf := math.Log((1+float64(len(examples)))/(1+float64(n))) + 1
		m.idf[b] = uint8(math.Round(idf / maxIDF * math.MaxUint8))
	}
}

// A trainer has the weights during training.
type trainer struct {
	labels  int
	weights []float64 // a row of labels for each bucket, and a last row for the bias
	squares []float64 // sums of the squared gradients of weights
	scores  []float64 // by label, for the current example
}

func newTrainer(buckets, labels int) *trainer {
	return &trainer{labels: labels, weights: make([]float64, (buckets+1)*labels), squares: make([]float64, (buckets+1)*labels), scores: make([]float64, labels)}
}

// row returns the bucket's row of weights or of squares.
func (t *trainer) row(matrix []float64, bucket int) []float64 {
	return matrix[bucket*t.labels : (bucket+1)*t.labels]
}

// learn moves the weights so that the features of one example predict its label better.
func (t *trainer) learn(features []feature, label int) {
	biasBucket := len(t.weights)/t.labels - 1
	features = append(slices.Clip(features), feature{biasBucket, 1})
	clear(t.scores)
	for _, f := range features {
		for l, w := range t.row(t.weights, f.bucket) {
			t.scores[l] += float64(f.value * w)
		}
	}
	softmax(t.scores)
	for l := range t.scores {
		t.scores[l] -= smoothing / float64(t.labels)
	}
	t.scores[label] -= 1 - smoothing
	for _, f := range features {
		weights, squares := t.row(t.weights, f.bucket), t.row(t.squares, f.bucket)
		for l, g := range t.scores {
			gradient := f.value * g
			squares[l] += float64(gradient * gradient)
			weights[l] -= learningRate * gradient / math.Sqrt(squares[l]+1e-10)
		}
	}
}

// quantize stores each trained weight in weightBits bits. Before that it subtracts the mean
// of each row, which changes no probability.
func (m *Model) quantize(t *trainer) {
	buckets := 1 << m.logSize
	m.scale, m.packed = make([]float32, buckets), make([]byte, buckets*m.rowSize)
	m.bias = make([]float32, t.labels)
	for l, w := range t.row(t.weights, buckets) {
		m.bias[l] = float32(w)
	}
	for b := range buckets {
		row := t.row(t.weights, b)
		mean := 0.0
		for _, w := range row {
			mean += w / float64(len(row))
		}
		for l := range row {
			row[l] -= mean
		}
		step := bestStep(row)
		m.scale[b] = float32(step)
		packed := m.packed[b*m.rowSize : (b+1)*m.rowSize]
		for l, w := range row {
			q := uint(steps(w, step) + zeroWeight)
			at := l * weightBits
			packed[at/8] |= byte(q << (at % 8))
			if at%8+weightBits > 8 {
				packed[at/8+1] |= byte(q >> (8 - at%8))
			}
		}
	}
}

// steps returns the weight in whole steps, limited to the range of weightBits.
func steps(w, step float64) int {
	if step == 0 {
		return 0
	}
	return min(max(int(math.Round(w/step)), -zeroWeight), zeroWeight-1)
}

// bestStep tries several step sizes. It returns the step size for which rounding the row has
// the smallest squared error, or 0 if all weights are 0.
func bestStep(row []float64) float64 {
	maxWeight := 0.0
	for _, w := range row {
		maxWeight = max(maxWeight, math.Abs(w))
	}
	best, least := 0.0, math.Inf(1)
	for n := 6; n <= 20 && maxWeight > 0; n++ {
		step := maxWeight / (float64(n) / 2)
		sum := 0.0
		for _, w := range row {
			d := w - step*float64(steps(w, step))
			sum += d * d
		}
		if sum < least {
			best, least = step, sum
		}
	}
	return best
}
