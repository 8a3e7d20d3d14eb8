package classifier

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// examples are of three labels, in two languages.
func examples() []Example {
	var all []Example
	for _, c := range []struct{ label, lines string }{
		{"water", "water the tomatoes|give the plants a drink|the basil is dry|geef de planten water"},
		{"mow", "mow the lawn|cut the grass|the meadow is too high|maai het gras"},
		{OutOfScope, "what time is it|play some music|how far is the moon|hoe laat is het"},
	} {
		for line := range strings.SplitSeq(c.lines, "|") {
			all = append(all, Example{line, c.label})
		}
	}
	return all
}

func garden(t *testing.T) *Model {
	t.Helper()
	m, err := Decode(Train(examples(), Options{Passes: 40, LogSize: 10}).Encode())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func best(m *Model, text string) string {
	label, most := "none", 0.0
	for i, p := range m.Probabilities(text) {
		if p > most {
			label, most = m.Labels[i], p
		}
	}
	return label
}

func TestARequestIsLikeThoseOfItsLabel(t *testing.T) {
	m := garden(t)
	for text, want := range map[string]string{
		"please water my tomatoes": "water",
		"watre the tomatos":        "water",
		"cutting the grass":        "mow",
		"grass":                    "mow",
		"some musik, play it":      OutOfScope,
	} {
		if got := best(m, text); got != want {
			t.Errorf("%q is of %q, want %q", text, got, want)
		}
	}
}

func TestProbabilitiesAddUpToOne(t *testing.T) {
	m := garden(t)
	for _, text := range []string{"water", "x", "完全", strings.Repeat("tomato ", 2000), "SELECT * FROM t; --", "12 34"} {
		sum := 0.0
		for _, p := range m.Probabilities(text) {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%.20q: the probabilities add up to %v", text, sum)
		}
	}
	for _, text := range []string{"", "  ", "🙂", "?!"} {
		if got := m.Probabilities(text); got != nil {
			t.Errorf("%q has no word and the probabilities %v", text, got)
		}
	}
}

func TestTrainingTwiceGivesTheSameFile(t *testing.T) {
	if !bytes.Equal(Train(examples(), Options{}).Encode(), Train(examples(), Options{}).Encode()) {
		t.Error("two trainings on the same examples differ")
	}
}

func TestADamagedFileIsRefused(t *testing.T) {
	whole := Train(examples(), Options{LogSize: 6}).Encode()
	const biases = len(magic) + 3 + len("\x00"+"\x03mow"+"\x05water")
	notANumber := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(notANumber[biases:], math.Float32bits(float32(math.NaN())))
	for name, data := range map[string][]byte{
		"not a number": notANumber,
		"empty":        nil,
		"other":        []byte("PK\x03\x04"),
		"header only":  []byte(magic),
		"truncated":    whole[:len(whole)-1],
		"too long":     append(bytes.Clone(whole), 0),
	} {
		if m, err := Decode(data); err == nil {
			t.Errorf("%s: decoded to %d labels, want an error", name, len(m.Labels))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Train(examples(), Options{LogSize: 4}).Encode())
	f.Add([]byte(magic + "\xff\xff\x14"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Decode(data); err == nil {
			m.Probabilities("water the grass")
		}
	})
}
