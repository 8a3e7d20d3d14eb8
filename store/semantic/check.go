package semantic

import "context"

// A Model describes the model of an endpoint.
type Model struct {
	Size               int     // dimensions of its vectors
	Related, Unrelated float64 // mean similarity of questions to their own answers and to other answers
	Minimum            float64 // the similarity from which a text is a match
}

// Check requests the vectors of a question and of the calibration texts, as a first search does.
// An error says why searches cannot use the endpoint.
func (c *Client) Check(ctx context.Context) (Model, error) {
	v, err := c.query(ctx, calibrationPairs[0][0])
	if err != nil {
		return Model{}, err
	}
	y := NewThreshold(nil)
	if err := c.fillMissing(ctx, y.texts, len(v)); err != nil {
		return Model{}, err
	}
	m := Model{Size: len(v)}
	if m.Related, m.Unrelated, err = y.measure(ctx, c.Model, m.Size); err != nil {
		return Model{}, err
	}
	m.Minimum, err = y.minimum(ctx, c.Model, m.Size)
	return m, err
}
