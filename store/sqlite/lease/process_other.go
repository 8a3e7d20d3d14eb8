//go:build !linux && !darwin

package lease

// machineID is "": it cannot be told here whether a process has ended.
func machineID() string { return "" }

func startOf(int) (start string, alive bool) { return "", true }
