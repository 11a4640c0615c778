-- Each part with the inputs of its costs, which do not depend on rules: the bytes of its LODs, of its mesh or assumed
-- for a prim, and its physics cost. A mesh that is missing or unreadable leaves nulls.
-- The first side of a join is held in memory: these are the parts. Assets, and the physics meshes of assets without a
-- decomposition, which are measured at the scale of the part, are streamed.
CREATE OR REPLACE VIEW uses AS
SELECT
  p.source, p.object, p.part, p.name, p.owner, p.creator, p.region, p.x, p.y, p.z, p.kind, p.shape, p.shape_type,
  p.physical, p.animated, p.scripts, p.mesh, m.lowest, m.low, m.medium, m.high,
  physics_cost(
    p.shape_type, p.physical, p.x, p.y, p.z, m.hull_vertices, m.hulls, m.hulls_vertices, m.hull_cost,
    m.decomposition_cost, m.physics_mesh
  ) AS physics,
  p.object_x, p.object_y, p.object_z
FROM (SELECT * FROM parts WHERE kind = 'mesh') AS p
LEFT JOIN (
  SELECT
    id, lowest, low, medium, high, hull_vertices, hulls, hulls_vertices, hull_cost, decomposition_cost,
    CASE WHEN hulls IS NULL THEN physics_mesh END AS physics_mesh
  FROM assets
  WHERE kind = 'mesh' AND id IS NOT NULL AND hull_vertices IS NOT NULL
) AS m ON p.mesh = m.id
UNION ALL
SELECT
  source, object, part, name, owner, creator, region, x, y, z, kind, shape, shape_type, physical, animated, scripts,
  mesh, lowest, low, medium, high, physics, object_x, object_y, object_z
FROM parts
WHERE kind <> 'mesh';

-- Each part with its weights. In an object whose root is animated, the surcharge for animation counts once, for the
-- root.
CREATE OR REPLACE VIEW prices AS
SELECT
  source, object, part, name, owner, creator, region, x, y, z, kind, shape, shape_type, physical, animated, scripts,
  mesh, lowest, low, medium, high,
  CASE
    WHEN kind <> 'mesh' THEN prim_cost(kind, x, y, z, lowest, low, medium, high, '{rules}')
    WHEN animated THEN animated_cost(lowest, low, medium, high, part = 1, '{rules}')
    ELSE streaming_cost(x, y, z, lowest, low, medium, high, '{rules}')
  END AS streaming,
  physics, object_x, object_y, object_z
FROM uses;

-- Each object with the weights of `lodger cost`: sums in the order of its parts. Null if a part has no price. An object
-- without a mesh whose parts all have the physics shape type prim counts the number of its parts (old accounting).
CREATE OR REPLACE VIEW objects AS
SELECT
  source, object, name, owner, creator, region, x, y, z, physical, prims, meshes, scripts, accounting,
  streaming, physics_base, physics, server,
  millionths(streaming) AS streaming_millionths,
  millionths(physics) AS physics_millionths,
  millionths(server) AS server_millionths,
  CASE
    WHEN streaming IS NULL OR physics IS NULL THEN NULL
    WHEN accounting = 'old' THEN prims
    ELSE land_impact(streaming, physics, server)
  END AS land_impact
FROM (
  SELECT
    *,
    CASE WHEN physical THEN penalised(physics_base, x, y, z) ELSE physics_base END AS physics,
    server_weight(prims, scripts) AS server
  FROM (
    SELECT
      source, object,
      max(CASE WHEN part = 1 THEN name END) AS name,
      max(CASE WHEN part = 1 THEN owner END) AS owner,
      max(CASE WHEN part = 1 THEN creator END) AS creator,
      max(CASE WHEN part = 1 THEN region END) AS region,
      max(object_x) AS x, max(object_y) AS y, max(object_z) AS z,
      bool_or(physical) AS physical,
      count(*) AS prims,
      sum(CASE WHEN kind = 'mesh' THEN 1 ELSE 0 END) AS meshes,
      sum(scripts) AS scripts,
      CASE WHEN bool_or(kind = 'mesh' OR shape_type <> 'prim') THEN 'new' ELSE 'old' END AS accounting,
      linkset_cost(array_agg(named_struct('part', part, 'cost', streaming))) AS streaming,
      linkset_cost(array_agg(named_struct('part', part, 'cost', physics))) AS physics_base
    FROM prices
    GROUP BY source, object
  )
);
