package semantic

import "context"

// A Model is what Check found out.
type Model struct {
	Size          int     // of its vectors, in dimensions
	Alike, Unlike float64 // mean similarity of questions to the right answers and to the wrong ones
	Least         float64 // from which a text counts as alike
}

// Check asks the endpoint all that a search asks it. Its error is what keeps
// searches from using it.
func (c *Client) Check(ctx context.Context) (Model, error) {
	v, err := c.query(ctx, pairs[0][0])
	if err != nil {
		return Model{}, err
	}
	y := NewYardstick(nil)
	if err := c.fill(ctx, y.texts, len(v)); err != nil {
		return Model{}, err
	}
	m := Model{Size: len(v)}
	if m.Alike, m.Unlike, err = y.measured(ctx, c.Model, m.Size); err != nil {
		return Model{}, err
	}
	m.Least, err = y.least(ctx, c.Model, m.Size)
	return m, err
}
