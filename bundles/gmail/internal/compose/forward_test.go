package compose

import "testing"

func TestShowsImageComparesTheWholeID(t *testing.T) {
	const document = `<img src="cid:img10@x"><img src="cid:a&amp;b@x"><img src="cid:c%20d@x">`
	for id, want := range map[string]bool{"img10@x": true, "img1": false, "img10": false, "a&b@x": true, "c d@x": true, "x": false} {
		if got := showsImage(document, id); got != want {
			t.Errorf("%s: got %v, want %v", id, got, want)
		}
	}
}
