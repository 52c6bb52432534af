import Conversations
import Inference
import ModelLibrary

extension Invocation {
  var library: ModelLibrary { ModelLibrary(directories: Directories(environment: environment)) }

  /// Which model the command line, the configuration or the folder of models means.
  func modelReference(_ request: String?) throws -> ModelReference {
    if Engines.isScripted, request == nil {
      return ModelReference(name: "scripted", path: "", options: options.modelOptions)
    }
    let (name, path) = try library.resolve(request)
    return ModelReference(
      name: name, path: path, options: library.options(options.modelOptions, for: name, path: path))
  }

  /// A session with the model loaded.
  func makeSession() async throws -> ChatSession {
    let model = try modelReference(options.model)
    let engine = try Engines.makeEngine()
    let meter = ProgressMeter(console: console)
    let description = try await engine.load(
      model, budget: memoryBudget
    ) { progress in
      meter.show(progress)
    }
    meter.clear()
    if let remark = Remark.coarseKeys(description) { console.note(remark) }
    if let think = options.think, let remark = Remark.thinking(think, description) {
      console.note(remark)
    }
    return ChatSession(engine: engine, settings: options.chatSettings)
  }
}
