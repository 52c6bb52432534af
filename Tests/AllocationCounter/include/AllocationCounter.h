#pragma once

// Counts what the threads of the test program allocate. It takes glibc's place in every test; where
// there is another C library nothing is counted.

/// Allocations that the calling thread has made; -1 where nothing is counted.
long pipit_thread_allocations(void);
