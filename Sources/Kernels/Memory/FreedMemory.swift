import CMachine

/// Gives the system what was freed and the allocator keeps for later.
package func returnFreedMemory() {
  pipit_return_freed_memory()
}
