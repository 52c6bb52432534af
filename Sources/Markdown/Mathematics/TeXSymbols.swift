/// What TeX's names stand for.
enum TeXSymbols {
  static let symbols: [String: String] = pairs(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
    kappa κ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ
    phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ
    Phi Φ Psi Ψ Omega Ω
    times × cdot · div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ setminus ∖
    leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫
    in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ emptyset ∅ varnothing ∅
    forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨ top ⊤ bot ⊥ perp ⊥
    parallel ∥ mid ∣ nmid ∤ angle ∠ triangle △ therefore ∴ because ∵
    to → rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔
    implies ⇒ iff ⇔ mapsto ↦ uparrow ↑ downarrow ↓ longrightarrow ⟶ hookrightarrow ↪
    sum ∑ prod ∏ int ∫ iint ∬ iiint ∭ oint ∮ partial ∂ nabla ∇ infty ∞ hbar ℏ ell ℓ Re ℜ Im ℑ
    aleph ℵ prime ′ dagger † ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ degree ° langle ⟨ rangle ⟩
    lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lvert | rvert | vert | lVert ‖ rVert ‖ Vert ‖ lbrace { rbrace }
    colon : lt < gt > models ⊨ vdash ⊢ checkmark ✓ square □ blacksquare ■ qed ∎
    """)

  static let functions: Set<String> = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "log", "ln", "lg", "exp", "lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "dim",
    "ker", "gcd", "lcm", "deg", "arg", "mod", "Pr", "hom",
  ]

  /// Environments that are lines and no more.
  static let environments: Set<String> = [
    "aligned", "align", "align*", "equation", "equation*", "gather", "gather*", "split",
  ]

  static let superscripts = scripts(
    "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺−⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻTᵀ"
      + "βᵝγᵞδᵟθᶿ")

  static let subscripts = scripts(
    "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓβᵦγᵧρᵨχᵪ")

  static let doubleStruck = scripts("RℝNℕZℤQℚCℂPℙHℍE𝔼1𝟙")

  static let accents: [String: String] = [
    "hat": "\u{302}", "bar": "\u{304}", "overline": "\u{304}", "vec": "\u{20D7}",
    "dot": "\u{307}", "ddot": "\u{308}", "tilde": "\u{303}",
  ]

  static let fractions: [String: String] = [
    "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "1/6": "⅙", "1/8": "⅛",
  ]

  private static func pairs(_ text: String) -> [String: String] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: words.count - 1, by: 2).map {
        (words[$0], words[$0 + 1])
      })
  }

  private static func scripts(_ text: String) -> [Character: Character] {
    let characters = Array(text)
    return Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: characters.count - 1, by: 2).map {
        (characters[$0], characters[$0 + 1])
      })
  }
}
