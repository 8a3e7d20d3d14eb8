package doctor

import "testing"

func TestDoctorReportsLowDiskSpace(t *testing.T) {
	if f := spaceFinding(9_900_000); f.OK || f.Remedy == "" || f.Saw != "9.9 MB are free" {
		t.Errorf("an almost full disk: %+v", f)
	}
	if f := spaceFinding(10_000_000); !f.OK || f.Remedy != "" {
		t.Errorf("enough: %+v", f)
	}
}
