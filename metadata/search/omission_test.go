package search

import "testing"

func TestANegatedRequestToForgetAsksToRemember(t *testing.T) {
	for query, want := range map[string]string{
		"don't forget":                                 "don't forget", // nothing to remember
		"forget that I am not vegan":                   "forget that I am not vegan",
		"did I not forget the milk":                    "did I not forget the milk",
		"vergeet dat ik niet van vis hou":              "vergeet dat ik niet van vis hou",
		"don't forget to call Ann":                     "don't forget to call Ann",
		"vergiss nicht, zu kommen":                     "vergiss nicht, zu kommen",
		"Please don’t forget: I hate olives, and nuts": "remember I hate olives, and nuts",
		"vergeet alsjeblieft niet dat ik links ben":    "onthoud dat ik links ben",
		"n’oubliez pas que je pars tôt":                "retenez que je pars tôt",
		"No te olvides que soy zurdo":                  "recuerda que soy zurdo",
		"non dimenticarti che sono qui":                "ricorda che sono qui",
	} {
		if got := affirmRemembering(query); got != want {
			t.Errorf("%q is read as %q, want %q", query, got, want)
		}
	}
}
