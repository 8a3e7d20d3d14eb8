package static

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kota/store/semantic"
	"kota/store/semantic/semantictest"
)

type tensors = map[string]semantictest.Tensor

// folder writes files into a new folder.
func folder(t testing.TB, model, tokenizer []byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, raw := range map[string][]byte{"model.safetensors": model, "tokenizer.json": tokenizer} {
		if raw == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var (
	vocab     = []string{"[UNK]", "car", "automobile", "dog", "##s"}
	rows      = []float32{9, 9, 9, 3, 0, 4, 3, 0, 4, 0, 1, 0, 0, 0, 0}
	tokenJSON = semantictest.WordPiece(vocab...)
	small     = tensors{"embeddings": semantictest.F32([]int{5, 3}, rows...)}
)

// with returns the small model with other tensors.
func with(other tensors) tensors {
	all := maps.Clone(small)
	maps.Copy(all, other)
	return all
}

func query(t *testing.T, m *Model, text string) []float64 {
	t.Helper()
	v, err := m.Query(t.Context(), text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	numbers := []float64{}
	for _, x := range v {
		numbers = append(numbers, math.Round(float64(x)*1000)/1000)
	}
	return numbers
}

func TestTextIsTheMeanOfItsTokens(t *testing.T) {
	m := New(folder(t, semantictest.Safetensors(small), tokenJSON), nil)
	for text, want := range map[string][]float64{
		"car":            {.6, 0, .8},
		"Automobile":     {.6, 0, .8},
		"a dog":          {0, 1, 0},
		"car, car, dog!": {6. / math.Sqrt(101), 1 / math.Sqrt(101), 8 / math.Sqrt(101)}, // (3,0,4)+(3,0,4)+(0,1,0)
	} {
		got := query(t, m, text)
		for i := range want {
			if math.Abs(got[i]-want[i]) > .01 {
				t.Errorf("%q: got %v, want %v", text, got, want)
				break
			}
		}
	}
	for _, text := range []string{"", "unknown words", "[UNK]", "cars"[3:]} {
		if v, err := m.Query(t.Context(), text); !errors.Is(err, semantic.ErrNoVector) || v != nil {
			t.Errorf("%q: got %v, %v", text, v, err)
		}
	}
	vectors, err := m.Documents(t.Context(), []semantic.Item{{Text: "dog"}, {Text: "nothing"}, {Text: "car"}})
	if err != nil || len(vectors) != 3 || !slices.Equal(vectors[1], semantic.Vector{0, 0, 0}) || vectors[0][1] < .99 || vectors[2][2] < .79 {
		t.Errorf("documents: %v, %v", vectors, err)
	}
}

// cells encodes numbers of any type.
func cells(dtype string, shape []int, numbers ...uint64) semantictest.Tensor {
	c := semantictest.Tensor{DType: dtype, Shape: shape}
	for _, n := range numbers {
		c.Data = append(c.Data, binary.LittleEndian.AppendUint64(nil, n)[:widths[dtype]]...)
	}
	return c
}

func TestAllTypesOfNumbersAreRead(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(-n) }
	for name, model := range map[string]tensors{
		"F32":                               {"embeddings": semantictest.F32([]int{5, 2}, 0, 0, -3, 4, 1, 1, 1, 1, 1, 1)},
		"F64":                               {"embeddings": cells("F64", []int{5, 2}, 0, 0, math.Float64bits(-3), math.Float64bits(4), 0, 0, 0, 0, 0, 0)},
		"F16":                               {"embeddings": cells("F16", []int{5, 2}, 0, 0, 0xc200, 0x4400, 0, 0, 0, 0, 0, 0)},  // -3, 4
		"BF16":                              {"embeddings": cells("BF16", []int{5, 2}, 0, 0, 0xc040, 0x4080, 0, 0, 0, 0, 0, 0)}, // -3, 4
		"I8":                                {"embeddings": cells("I8", []int{5, 2}, 0, 0, minus(3), 4, 0, 0, 0, 0, 0, 0)},
		"the name of Sentence Transformers": {"embedding.weight": semantictest.F32([]int{5, 2}, 0, 0, -3, 4, 1, 1, 1, 1, 1, 1)},
		"shared rows, I32":                  {"embeddings": semantictest.F32([]int{2, 2}, 7, 7, -3, 4), "mapping": cells("I32", []int{5}, 0, 1, 1, 0, 0)},
		"shared rows, I64":                  {"embeddings": semantictest.F32([]int{2, 2}, 7, 7, -3, 4), "mapping": cells("I64", []int{5}, 0, 1, 1, 0, 0)},
	} {
		m := New(folder(t, semantictest.Safetensors(model), tokenJSON), nil)
		v, err := m.Query(t.Context(), "car")
		if err != nil || math.Abs(float64(v[0])+.6) > .005 || math.Abs(float64(v[1])-.8) > .005 {
			t.Errorf("%s: got %v, %v", name, v, err)
		}
	}
}

func TestNumbersOf16Bits(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504,
		0x0001: 1. / (1 << 24), 0x8200: -512. / (1 << 24), 0x0400: 1. / (1 << 14), // the smallest ones
	} {
		if got := float64(float16(bits)); got != want {
			t.Errorf("%#04x: got %v, want %v", bits, got, want)
		}
	}
	if isFinite(float16(0x7c00)) || isFinite(float16(0xfc00)) || isFinite(float16(0x7e01)) || !isFinite(float16(0x7bff)) {
		t.Error("infinite numbers and NaN are finite, or the largest number is not")
	}
}

func TestWeightsScaleTokens(t *testing.T) {
	plain := New(folder(t, semantictest.Safetensors(small), tokenJSON), nil)
	weighted := New(folder(t, semantictest.Safetensors(with(tensors{"weights": semantictest.F32([]int{5}, 1, .2, 1, 5, 1)})), tokenJSON), nil)
	if v := query(t, plain, "car dog"); v[2] < .78 || v[1] > .2 { // (3,0,4)+(0,1,0)
		t.Errorf("without weights %v", v)
	}
	if v := query(t, weighted, "car dog"); v[1] < .97 || v[2] > .17 { // (.6,0,.8)+(0,5,0)
		t.Errorf("with weights %v", v)
	}
}

func TestEightBitsAreCloseToTheNumbers(t *testing.T) {
	row := make([]float32, 256)
	for i := range row {
		row[i] = float32(math.Sin(float64(i*i))) / 50
	}
	small := make([]int8, len(row))
	scale, ok := quantize(small, row)
	dot, a, b := 0., 0., 0.
	for i, x := range row {
		y := float64(small[i]) * float64(scale)
		dot, a, b = dot+float64(x)*y, a+float64(x)*float64(x), b+y*y
		if math.Abs(float64(x)-y) > .51*float64(scale) {
			t.Errorf("%v became %v", x, y)
		}
	}
	if cosine := dot / math.Sqrt(a*b); !ok || cosine < .9999 {
		t.Errorf("cosine %v, %v", cosine, ok)
	}
	for _, x := range []float32{math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32} {
		if scale, ok := quantize(small[:1], []float32{x}); !ok || !isFinite(scale) {
			t.Errorf("%v: scale %v, %v", x, scale, ok)
		}
	}
}

func TestBadModelsAreErrorsThatSayWhatToDo(t *testing.T) {
	good := semantictest.Safetensors(small)
	entry := func(json string) []byte {
		return semantictest.SafetensorsOf([]byte(json), make([]byte, 60))
	}
	for name, c := range map[string]struct {
		model, tokenizer []byte
		want, remedy     string
	}{
		"no file":                  {nil, tokenJSON, filepath.Join("001", "model.safetensors") + " does not exist", "search.model"},
		"no tokenizer":             {good, nil, "tokenizer.json does not exist", "tokenizer.json of one model"},
		"an empty file":            {[]byte{}, tokenJSON, "has 0 bytes, too few for a model: it is truncated", "again"},
		"truncated in the header":  {good[:20], tokenJSON, "is truncated: it ends within its header", "again"},
		"truncated in the data":    {good[:len(good)-8], tokenJSON, `is truncated: the tensor "embeddings" ends at byte 60 of 52`, "again"},
		"a page of HTML":           {[]byte(strings.Repeat("<html>sign in</html>", 20)), tokenJSON, "model.safetensors is a web page, not the file itself", "Download"},
		"a tokenizer of HTML":      {good, []byte("\n<!doctype html><title>Sign in</title>"), "tokenizer.json is a web page", "Download"},
		"another file":             {[]byte(strings.Repeat("nothing known", 20)), tokenJSON, "is not a safetensors file", "model2vec"},
		"zeros":                    {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 3}, make([]float32, 15)...)}), tokenJSON, "only vectors of zeros", "another"},
		"too small numbers":        {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 1}, 1e-40, 1e-40, 1e-40, 1e-40, 1e-40)}), tokenJSON, "numbers too small to use", "another"},
		"three axes":               {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 1, 1}, 1, 2, 3, 4, 5)}), tokenJSON, "has embeddings with 3 axes (shape [5 1 1]); KOTA reads a table of tokens and dimensions", "model2vec"},
		"a pointer of Git LFS":     {[]byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), tokenJSON, "model.safetensors is a pointer of Git LFS", "git lfs pull"},
		"a tokenizer of Git LFS":   {good, []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), "tokenizer.json is a pointer of Git LFS", "git lfs pull"},
		"a header that is a list":  {entry("[1]"), tokenJSON, "its header is not a JSON object", "model2vec"},
		"a header of null":         {entry("null"), tokenJSON, "its header is not a JSON object", "model2vec"},
		"a huge header":            {slices.Concat([]byte{255, 255, 255, 255, 255, 255, 255, 255}, make([]byte, 100)), tokenJSON, "its header has more than 8 MB", "model2vec"},
		"no embeddings":            {semantictest.Safetensors(tensors{"wte": small["embeddings"], "b": semantictest.F32([]int{1}, 1)}), tokenJSON, `has no tensor "embeddings"; it has: b, wte`, "model2vec"},
		"no tensors":               {semantictest.Safetensors(nil), tokenJSON, `it has: none`, "model2vec"},
		"a list":                   {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5}, 1, 2, 3, 4, 5)}), tokenJSON, "embeddings with one axis (shape [5])", "model2vec"},
		"no dimensions":            {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 0})}), tokenJSON, "an empty table of embeddings (shape [5 0])", "model2vec"},
		"too many dimensions":      {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{1, 20_000}, make([]float32, 20_000)...)}), tokenJSON, "up to 4000000 tokens and 16384 dimensions", "model2vec"},
		"a shape of other size":    {entry(`{"embeddings": {"dtype": "F32", "shape": [5, 4], "data_offsets": [0, 60]}}`), tokenJSON, `has 60 bytes between its offsets and 80 by its shape [5 4]`, "again"},
		"a negative offset":        {entry(`{"embeddings": {"dtype": "F32", "shape": [5, 3], "data_offsets": [-60, 0]}}`), tokenJSON, "contradicts itself", "again"},
		"offsets in reverse":       {entry(`{"embeddings": {"dtype": "F32", "shape": [0, 3], "data_offsets": [60, 0]}}`), tokenJSON, "contradicts itself", "again"},
		"a shape that overflows":   {entry(`{"embeddings": {"dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 0]}}`), tokenJSON, "of the size [4294967296 4294967296]", "another"},
		"a product that overflows": {entry(`{"embeddings": {"dtype": "F32", "shape": [1073741824, 1073741824, 16], "data_offsets": [0, 0]}}`), tokenJSON, "which KOTA does not read", "another"},
		"a negative shape":         {entry(`{"embeddings": {"dtype": "F32", "shape": [-5, 3], "data_offsets": [0, 60]}}`), tokenJSON, "of the size [-5 3]", "another"},
		"a fraction in the shape":  {entry(`{"embeddings": {"dtype": "F32", "shape": [5.5, 3], "data_offsets": [0, 60]}}`), tokenJSON, `no valid entry for the tensor "embeddings"`, "again"},
		"no offsets":               {entry(`{"embeddings": {"dtype": "F32", "shape": [5, 3]}}`), tokenJSON, "no valid entry", "again"},
		"another type":             {entry(`{"embeddings": {"dtype": "F8_E4M3", "shape": [5, 3], "data_offsets": [0, 15]}}`), tokenJSON, `numbers of the type "F8_E4M3"`, "another"},
		"NaN":                      {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 3}, append(slices.Clone(rows[:14]), float32(math.NaN()))...)}), tokenJSON, "numbers in the vector of token 4 that are infinite or not a number", "again"},
		"infinity":                 {semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 3}, append([]float32{float32(math.Inf(-1))}, rows[1:]...)...)}), tokenJSON, "vector of token 0", "again"},
		"NaN of 16 bits":           {semantictest.Safetensors(tensors{"embeddings": cells("F16", []int{5, 1}, 1, 2, 3, 4, 0x7e00)}), tokenJSON, "vector of token 4", "again"},
		"fewer tokens":             {good, semantictest.WordPiece("[UNK]", "car"), "tokenizer.json has 2 tokens and model.safetensors has vectors for 5: they are not of the same model", "same model"},
		"more tokens":              {good, semantictest.WordPiece(append(vocab, "x")...), "has 6 tokens and model.safetensors has vectors for 5", "same model"},
		"a tokenizer of BPE":       {good, []byte(`{"model": {"type": "BPE", "vocab": {}}}`), `of the type "BPE"`, "another"},
		"a truncated tokenizer":    {good, tokenJSON[:len(tokenJSON)-9], "tokenizer.json is not valid", "again"},
		"too few weights":          {semantictest.Safetensors(with(tensors{"weights": semantictest.F32([]int{4}, 1, 1, 1, 1)})), tokenJSON, "weights of the shape [4]; tokenizer.json has 5 tokens", "same model"},
		"a weight of NaN":          {semantictest.Safetensors(with(tensors{"weights": semantictest.F32([]int{5}, 1, 1, float32(math.NaN()), 1, 1)})), tokenJSON, "weight of token 2", "again"},
		"too short a mapping":      {semantictest.Safetensors(with(tensors{"mapping": cells("I64", []int{4}, 0, 1, 2, 3)})), tokenJSON, "has vectors for 4", "same model"},
		"a mapping to nothing":     {semantictest.Safetensors(with(tensors{"mapping": cells("I64", []int{5}, 0, 1, 2, 3, 5)})), tokenJSON, "maps token 4 to row 5 of 5", "again"},
		"a negative mapping":       {semantictest.Safetensors(with(tensors{"mapping": cells("I32", []int{5}, 0, 1, 2, 3, 0xffffffff)})), tokenJSON, "maps token 4 to row -1 of 5", "again"},
		"a mapping of fractions":   {semantictest.Safetensors(with(tensors{"mapping": semantictest.F32([]int{5}, 0, 1, 2, 3, 4)})), tokenJSON, "mapping of the type F32", "another"},
		"a mapping as a table":     {semantictest.Safetensors(with(tensors{"mapping": cells("I32", []int{5, 1}, 0, 1, 2, 3, 4)})), tokenJSON, "mapping of the shape [5 1]", "model2vec"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, c.model, c.tokenizer)
			v, err := New(dir, nil).Query(t.Context(), "car")
			e := (*Error)(nil)
			if !errors.As(err, &e) || !strings.Contains(e.What, c.want) || !strings.Contains(e.Remedy, c.remedy) || v != nil {
				t.Fatalf("got %v, %#v; want %q and %q", v, err, c.want, c.remedy)
			}
			if strings.Contains(e.What, dir) {
				t.Errorf("%q names the folder", e.What)
			}
		})
	}
}

func TestFilesBeyondTheLimitsAreNotRead(t *testing.T) {
	for name, size := range map[string]int64{"model.safetensors": 2 << 30, "tokenizer.json": 65 << 20} {
		dir := folder(t, semantictest.Safetensors(small), tokenJSON)
		if err := os.Truncate(filepath.Join(dir, name), size); err != nil { // sparse, so it takes no space
			t.Skip(err)
		}
		_, err := New(dir, nil).Query(t.Context(), "car")
		if err == nil || !strings.Contains(err.Error(), name+" has ") || !strings.Contains(err.Error(), "the limit of KOTA") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModelIsAFolderOrAFile(t *testing.T) {
	dir := folder(t, semantictest.Safetensors(small), tokenJSON)
	for _, path := range []string{dir, filepath.Join(dir, "model.safetensors")} {
		info, err := New(path, nil).Load(t.Context())
		if err != nil || info.Tokens != 5 || info.Dimensions != 3 || info.MemoryBytes != 5*3+5*4+5*tokenBytes || info.FileBytes == 0 {
			t.Errorf("%s: %+v, %v", path, info, err)
		}
	}
	if _, err := New(filepath.Join(dir, "tokenizer.json"), nil).Load(t.Context()); err == nil || err.Error() != "search.model names tokenizer.json" {
		t.Errorf("the tokenizer: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub.safetensors"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := New(filepath.Join(dir, "sub.safetensors"), nil).Load(t.Context()); err == nil || !strings.Contains(err.Error(), "model.safetensors does not exist") {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "tokenizer.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := New(dir, nil).Load(t.Context()); err == nil || !strings.Contains(err.Error(), "tokenizer.json is not a file") {
		t.Errorf("a folder for a file: %v", err)
	}
}

func TestNameChangesWithTheFiles(t *testing.T) {
	names := map[string]string{}
	for what, dir := range map[string]string{
		"a vector":    folder(t, semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{5, 3}, append(slices.Clone(rows[:14]), .001)...)}), tokenJSON),
		"a weight":    folder(t, semantictest.Safetensors(with(tensors{"weights": semantictest.F32([]int{5}, 1, 1, 1, 1, 2)})), tokenJSON),
		"a mapping":   folder(t, semantictest.Safetensors(with(tensors{"mapping": cells("I32", []int{5}, 0, 1, 2, 3, 3)})), tokenJSON),
		"a tokenizer": folder(t, semantictest.Safetensors(small), changed(t, tokenJSON, object{"normalizer": nil})),
		"nothing":     folder(t, semantictest.Safetensors(small), tokenJSON),
	} {
		m := New(dir, nil)
		if m.Name() != "" {
			t.Errorf("%s: named %s before it was read", what, m.Name())
		}
		query(t, m, "car")
		if other, twice := names[m.Name()]; twice {
			t.Errorf("%s and %s have the name %s", what, other, m.Name())
		}
		names[m.Name()] = what
	}
	again := New(folder(t, semantictest.Safetensors(small), tokenJSON), nil)
	query(t, again, "car")
	if names[again.Name()] != "nothing" || !strings.HasPrefix(again.Name(), "static-") {
		t.Errorf("the same files have the new name %s", again.Name())
	}
}

func TestNothingIsReadBeforeTheFirstSearch(t *testing.T) {
	dir := t.TempDir()
	m := New(dir, nil)
	if err := semantictest.WriteModel(dir, nil, "car"); err != nil {
		t.Fatal(err)
	}
	query(t, m, "car")
}

func TestBrokenModelIsReadAgainAfterAMinute(t *testing.T) {
	dir := t.TempDir()
	now, grown := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), int64(0)
	m := New(dir, func(bytes int64) { grown += bytes })
	m.now = func() time.Time { return now }
	if _, err := m.Query(t.Context(), "car"); err == nil || grown != 0 {
		t.Errorf("got %v, %d bytes", err, grown)
	}
	if err := semantictest.WriteModel(dir, nil, "car"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(59 * time.Second)
	if _, err := m.Query(t.Context(), "car"); err == nil {
		t.Error("read within a minute")
	}
	now = now.Add(time.Second)
	query(t, m, "car")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	query(t, m, "car")
	if info, err := m.Load(t.Context()); err != nil || info.MemoryBytes != grown {
		t.Errorf("%+v, %v, and %d bytes were reported", info, err, grown)
	}
}

func TestSearchesWaitForTheFileOnlyShortly(t *testing.T) {
	synctest.Test(t, waitForSlowFile)
}

func waitForSlowFile(t *testing.T) {
	m := New("slow", nil)
	m.job = &loading{done: make(chan struct{})} // a file that takes very long
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Query(cancelled, "car"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := m.Documents(cancelled, []semantic.Item{{Text: "car"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := m.Query(t.Context(), "car"); !errors.Is(err, semantic.ErrLoading) || m.Name() != "" {
		t.Errorf("got %v, name %q", err, m.Name())
	}
}

func TestSpaceFindsTextsByTheModel(t *testing.T) {
	dir := t.TempDir()
	if err := semantictest.WriteModel(dir, map[string]string{"automobile": "car", "physician": "doctor"}, "repair", "plants"); err != nil {
		t.Fatal(err)
	}
	m := New(dir, nil)
	texts := semantic.NewTexts([]string{"repair the car", "call the doctor", "water the plants", "???"}, nil)
	space := semantic.NewSpace(m, semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) { return texts, nil })
	defer space.Close()
	var searches sync.WaitGroup
	for query, want := range map[string][]int64{"my automobile": {0}, "physician": {1}, "flowers": nil, "": nil} {
		searches.Go(func() {
			found, err := space.Search(t.Context(), query)
			var ids []int64
			for _, f := range found {
				ids = append(ids, f.ID)
			}
			if err != nil || !slices.Equal(ids, want) {
				t.Errorf("%q: found %v, %v", query, found, err)
			}
		})
	}
	searches.Wait()
	if checked, err := semantic.Check(t.Context(), m); err != nil || checked.Related <= checked.Minimum || checked.Minimum <= checked.Unrelated {
		t.Errorf("check: %+v, %v", checked, err)
	}
}

func TestModelOfAnotherLanguageIsNotUsed(t *testing.T) {
	m := New(folder(t, semantictest.Safetensors(tensors{"embeddings": semantictest.F32([]int{2, 2}, 0, 0, 1, 0)}), semantictest.WordPiece("[UNK]", "auto")), nil)
	texts := semantic.NewTexts([]string{"auto"}, nil)
	space := semantic.NewSpace(m, semantic.NewThreshold(nil), func(context.Context) (semantic.Source, error) { return texts, nil })
	defer space.Close()
	if found, err := space.Search(t.Context(), "auto"); err == nil || !strings.Contains(err.Error(), "as similar to wrong answers (0.00) as to right ones (0.00)") || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	if _, err := semantic.Check(t.Context(), m); err == nil || !strings.Contains(err.Error(), "the model knows no word of") {
		t.Errorf("check: %v", err)
	}
}

func FuzzHeader(f *testing.F) {
	good := semantictest.Safetensors(with(tensors{"weights": semantictest.F32([]int{5}, 1, 1, 1, 1, 1), "mapping": cells("I32", []int{5}, 0, 1, 2, 3, 4)}))
	f.Add(good)
	f.Add(good[:40])
	f.Add(semantictest.SafetensorsOf([]byte(`{"embeddings": {"dtype": "I8", "shape": [5, 1], "data_offsets": [0, 5]}, "mapping": {"dtype": "I64", "shape": [5], "data_offsets": [5, 45]}}`), make([]byte, 45)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := readEmbeddings(source{strings.NewReader(string(raw)), "model.safetensors", int64(len(raw)), discard{}}, 5)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if int64(len(e.rows)) > int64(len(raw)) || e.dimensions < 1 {
			t.Fatalf("%d numbers of %d bytes", len(e.rows), len(raw))
		}
		e.tokenizer, _ = parseTokenizer(tokenJSON)
		if v, err := e.vector("car dogs automobile"); err == nil && len(v) != e.dimensions {
			t.Fatalf("%d dimensions of %d", len(v), e.dimensions)
		}
	})
}

// discard is a hash of nothing.
type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) Sum(b []byte) []byte         { return b }
func (discard) Reset()                      {}
func (discard) Size() int                   { return 0 }
func (discard) BlockSize() int              { return 1 }
