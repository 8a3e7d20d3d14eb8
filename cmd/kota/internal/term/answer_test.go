package term

import "testing"

func TestParseAnswerTakesYesAndNoInAnyCase(t *testing.T) {
	for answer, want := range map[string][2]bool{
		"y\n": {true, true}, "Y": {true, true}, " yes\r\n": {true, true}, "YES": {true, true},
		"n\n": {false, true}, "No": {false, true}, "\n": {false, true}, "": {false, true},
		"maybe\n": {false, false}, "yess": {false, false}, "ja": {false, false},
	} {
		if agreed, known := ParseAnswer(answer); agreed != want[0] || known != want[1] {
			t.Errorf("%q: agreed %t, known %t, want %v", answer, agreed, known, want)
		}
	}
}
