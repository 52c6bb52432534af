#if arch(x86_64)
  import KernelTypes

  /// The groups of a product: weights in 16, 32, 64 or 128 inputs, activations in 16 or 32.
  protocol GroupShape {
    /// Blocks of 32 inputs in a weight group; 0 for two weight groups in a block.
    static var blocks: Int { get }
    /// Whether an activation group is half a block.
    static var isHalved: Bool { get }
  }

  extension GroupShape {
    /// Inputs of a weight group.
    @inline(always) static var inputs: Int { blocks == 0 ? 16 : blocks &* 32 }
    /// Inputs of an activation group.
    @inline(always) static var activationInputs: Int { isHalved ? 16 : 32 }
    /// Activation groups in a block.
    @inline(always) static var halves: Int { isHalved ? 2 : 1 }
  }

  enum HalfBlock: GroupShape {
    @inline(always) static var blocks: Int { 0 }
    @inline(always) static var isHalved: Bool { true }
  }

  enum OneBlock: GroupShape {
    @inline(always) static var blocks: Int { 1 }
    @inline(always) static var isHalved: Bool { false }
  }

  enum TwoBlocks: GroupShape {
    @inline(always) static var blocks: Int { 2 }
    @inline(always) static var isHalved: Bool { false }
  }

  enum FourBlocks: GroupShape {
    @inline(always) static var blocks: Int { 4 }
    @inline(always) static var isHalved: Bool { false }
  }

  /// Blocks whose activations are in groups of 16.
  enum Halved<G: GroupShape>: GroupShape {
    @inline(always) static var blocks: Int { G.blocks }
    @inline(always) static var isHalved: Bool { true }
  }

  /// What is done once the groups of a product are known statically.
  protocol GroupAction {
    static func run<G: GroupShape>(
      _: G.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
      _ scratch: UnsafeMutableRawPointer)
  }

  @inline(always)
  func chooseGroups<A: GroupAction>(
    _: A.Type, _ job: UnsafePointer<GroupedProduct>, _ first: Int, _ count: Int,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let isHalved = job.pointee.input.group == 16
    switch job.pointee.matrix.group {
    case 16: A.run(HalfBlock.self, job, first, count, scratch)
    case 32:
      if isHalved {
        A.run(Halved<OneBlock>.self, job, first, count, scratch)
      } else {
        A.run(OneBlock.self, job, first, count, scratch)
      }
    case 64:
      if isHalved {
        A.run(Halved<TwoBlocks>.self, job, first, count, scratch)
      } else {
        A.run(TwoBlocks.self, job, first, count, scratch)
      }
    default:
      if isHalved {
        A.run(Halved<FourBlocks>.self, job, first, count, scratch)
      } else {
        A.run(FourBlocks.self, job, first, count, scratch)
      }
    }
  }
#endif
