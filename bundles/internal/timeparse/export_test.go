package timeparse

// Names returns the list of zones.
func Names() []string { return names().all }
