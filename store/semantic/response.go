package semantic

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxResponse limits a response. A batch of the largest vectors takes 5 MB.
const maxResponse = 8 << 20

// readVectors reads the vectors of a response. texts is the number of texts, and each vector has
// the index of its text. readVectors returns an error unless there is one vector per text, all of
// the same size.
func readVectors(body io.Reader, texts int) ([]Vector, error) {
	raw, err := io.ReadAll(io.LimitReader(body, maxResponse+1))
	if err != nil {
		return nil, errors.New("an incomplete answer")
	}
	if len(raw) > maxResponse {
		return nil, fmt.Errorf("more than %d MiB", maxResponse>>20)
	}
	var answer struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(raw, &answer) != nil {
		return nil, errors.New("text that is not JSON with embeddings")
	}
	if len(answer.Data) != texts {
		return nil, fmt.Errorf("%d vectors for %d texts", len(answer.Data), texts)
	}
	vectors := make([]Vector, texts)
	for _, one := range answer.Data {
		if one.Index < 0 || one.Index >= texts || vectors[one.Index] != nil {
			return nil, errors.New("vectors for texts that were not sent, or two vectors for one text")
		}
		if vectors[one.Index], err = Normalize(one.Embedding); err != nil {
			return nil, err
		}
		if len(one.Embedding) != len(answer.Data[0].Embedding) {
			return nil, errors.New("vectors of several sizes")
		}
	}
	return vectors, nil
}
