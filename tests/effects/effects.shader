// Small scripts, one effect each, for tests/it/effects.rs: a page of pictures shows them in this order.

plain { { map tile.png } }
lit { { map tile.png
  rgbGen lightingDiffuse } }
add { { map tile.png } { map spot.png
  blendFunc add } }
filter { { map tile.png } { map spot.png
  blendFunc filter } }
blend { { map tile.png } { map spot.png
  blendFunc blend } }
double { { map tile.png } { map spot.png
  blendFunc GL_DST_COLOR GL_SRC_COLOR } }
screen { { map tile.png } { map spot.png
  blendFunc GL_ONE_MINUS_DST_COLOR GL_ONE } }
glass { { map tile.png
  blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA
  alphaGen const 0.5 } }
holes0 { cull none
  { map spot.png
  alphaFunc GT0 } }
holes1 { cull none
  { map spot.png
  alphaFunc LT128 } }
holes2 { cull none
  { map spot.png
  alphaFunc GE128 } }
inside { cull back
  { map tile.png } }
tinted { { map tile.png
  rgbGen const ( 1 0.5 0.25 ) } }
pulse { { map tile.png
  rgbGen wave sin 0.5 0.5 0 1 } }
fade { { map tile.png } { map $whiteimage
  blendFunc blend
  alphaGen wave sawtooth 0 1 0 1 } }
shine { { map tile.png
  rgbGen lightingDiffuse } { map $whiteimage
  blendFunc GL_SRC_ALPHA GL_ONE
  alphaGen lightingSpecular } }
distance { { map tile.png } { map $whiteimage
  blendFunc blend
  alphaGen portal 8 } }
chrome { { map sky.png
  tcGen environment } }
oil { { map sky.png
  tcGen environment
  tcMod turb 0 0.2 0 1
} }
projected { { map tile.png
  tcGen vector ( 0 0.5 0 ) ( 0 0 0.5 ) } }
scale { { map tile.png
  tcMod scale 3 2
} }
scroll { { map tile.png
  tcMod scroll 0.5 1
} }
rotate { { map tile.png
  tcMod rotate 90
} }
stretch { { map tile.png
  tcMod stretch sin 1 0.5 0 1
} }
transform { { map tile.png
  tcMod transform 1 0.5 0 1 0.25 0
} }
turb { { map tile.png
  tcMod turb 0 0.1 0.25 1
} }
order { { map tile.png
  tcMod scale 2 2
  tcMod rotate 90
  tcMod scroll 0.5 0
} }
clamp { { clampmap tile.png
  tcMod scale 2 2
} }
film { { animMap 4 tile.png spot.png sky.png } }
wave { deformVertexes wave 10 sin 0 0.2 0 1
  { map tile.png
  rgbGen lightingDiffuse } }
bulge { deformVertexes bulge 12 0.2 1
  { map tile.png
  rgbGen lightingDiffuse } }
move { deformVertexes move 0 1 1 sin 0 0.5 0 1
  { map tile.png
  rgbGen lightingDiffuse } }
sprite { deformVertexes autosprite
  { map tile.png } }
strip { deformVertexes autosprite2
  { map tile.png } }
decal { polygonOffset
  { map spot.png
  blendFunc blend } }
late { sort nearest
  { map tile.png
  blendFunc add } }
early { sort additive
  { map spot.png
  blendFunc blend } }
implicit { implicitMap tile.png }
implicitGlass { implicitBlend spot.png }
implicitHoles { implicitMask spot.png }
hidden { surfaceparm nodraw }
lacking { { map tile.png } { map nowhere.png
  blendFunc add } }
lost { { map nowhere.png } }
relief { { diffuseMap tile.png
  normalMap bumps.png
  specularMap spot.png } }
