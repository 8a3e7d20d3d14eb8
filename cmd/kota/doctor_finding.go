package main

// A finding is what the doctor saw of one thing.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Saw    string `json:"saw"`
	Remedy string `json:"remedy,omitempty"`
}
