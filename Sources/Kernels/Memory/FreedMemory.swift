import CMachine

/// Gives the system what was freed and the allocator keeps for later.
package func returnFreedMemory() {
  pipit_return_freed_memory()
}

/// Has all threads allocate from one arena, where there are several.
package func useOneArena() {
  pipit_use_one_arena()
}
